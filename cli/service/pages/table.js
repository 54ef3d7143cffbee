// The table's page: live words, what is due, what was handed in; for players, and for the game master.

import { ask, newId } from "./asking.js";
import { drawnInto } from "./drawing.js";
import { showDue, written } from "./due.js";
import { follow } from "./following.js";
import { showProposals } from "./proposals.js";
import { tell, tellAnew } from "./words.js";

const at = (name) => document.getElementById(name);
const below = (path) => new URL(path, location.href).pathname;
const draw = drawnInto(at("board"));
let me = {};

async function begin() {
  me = await ask(below("here.json"));
  document.title = me.title;
  at("title").textContent = me.title;
  at("saying").hidden = me.viewer === "table";
  at("handed").hidden = me.viewer === "table";
  at("line-label").hidden = !me.director;
  at("speaker").hidden = me.director;
  at("speaker").replaceChildren(...me.plays.flatMap(ways));
  const { events, cursor } = await ask(below("happened"));
  tellAnew(at("words"), events);
  follow(`${below("feed")}?after=${encodeURIComponent(cursor)}`, heard);
}

/** What somebody may say for one of theirs. */
function ways(name) {
  return ["says", "narrates"].map((how) => {
    const option = document.createElement("option");
    option.value = `${how === "says" ? "say" : "narrate"} "${name.replaceAll('"', '""')}"`;
    option.textContent = `${name} ${how}`;
    return option;
  });
}

const heard = {
  board: draw,
  happened(events) {
    tell(at("words"), events);
    look();
  },
  async reset() {
    tellAnew(at("words"), (await ask(below("happened"))).events);
    look();
  },
  proposal: () => look(),
  gone() {
    at("here").textContent = "Your link is no longer good: ask your game master for a new one.";
  },
  here(here) {
    at("here").textContent = here ? "" : "Looking for the table …";
    if (here) {
      look();
    }
  },
};

/** Asks what is due and what waits; several reasons at once are one question. */
let looking;
function look() {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    if (me.viewer === "table") {
      return;
    }
    const [due, handed] = await Promise.all([ask(below("can")), ask(below("proposals"))]);
    showDue(at("due"), due.choices, say);
    showProposals(at("proposals"), handed.proposals, me, answer);
  }, 50);
}

async function say(line, done) {
  at("says").textContent = "";
  try {
    const said = await ask(below(me.director ? "say" : "proposals"), { line, id: newId() });
    at("says").textContent = me.director ? said.said.join(" ") : "Handed in.";
    done();
  } catch (error) {
    at("says").textContent = error.message;
  }
  look();
}

async function answer(proposal, what) {
  try {
    await ask(below(`proposals/${proposal.id}`), what);
  } catch (error) {
    at("says").textContent = error.message;
  }
  look();
}

at("speak").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = written(at("line").value);
  say(me.director ? text : `${at("speaker").value}: ${text}`, () => {
    at("line").value = "";
    at("offers").replaceChildren();
  });
});

at("line").addEventListener("input", async () => {
  const line = at("line").value;
  if (!me.director || line.includes("\n")) {
    at("offers").replaceChildren();
    return;
  }
  const { replaces, offers } = await ask(`${below("complete")}?line=${encodeURIComponent(line)}`);
  if (line === at("line").value) {
    at("offers").replaceChildren(...offers.slice(0, 8).map((one) => offer(line, replaces, one)));
  }
});

function offer(line, replaces, one) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dir = "auto";
  button.textContent = one.text;
  button.title = one.about;
  button.addEventListener("click", () => {
    at("line").value = `${line.slice(0, line.length - replaces.length)}${one.text} `;
    at("offers").replaceChildren();
    at("line").focus();
  });
  item.append(button);
  return item;
}

begin().catch((error) => {
  at("here").textContent = error.message;
});
