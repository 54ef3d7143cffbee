// The table's page: the board and the words, live; what is due, and what was handed in; for players, and for the game master.

import { make } from "/modules/making.js";
import { Acting } from "./acting.js";
import { answer } from "./answering.js";
import { ask, newId } from "./asking.js";
import { Branching } from "./branching.js";
import { Building } from "./building.js";
import { Completing } from "./completing.js";
import { drawnInto } from "./drawing.js";
import { Due } from "./due.js";
import { button } from "./elements.js";
import { Finding } from "./finding.js";
import { Following } from "./following.js";
import { Hearing } from "./hearing.js";
import { Inviting } from "./inviting.js";
import { quoted, written } from "./lines.js";
import { mend } from "./mending.js";
import { People } from "./people.js";
import { Picturing } from "./picturing.js";
import { pocket } from "./pocket.js";
import { Proposals } from "./proposals.js";
import { Remembering } from "./remembering.js";
import { Rolling } from "./rolling.js";
import { Saving } from "./saving.js";
import { Panel } from "./showing.js";
import { Throwing } from "./throwing.js";
import { emptied, keepsTyped, remembered } from "./typing.js";
import { Turning } from "./turning.js";
import { heardOf, Words } from "./words.js";

const OFTEN = 1000;
const UNANSWERED = 60_000;
/** The status where nobody may know whether a line was recorded. */
const UNAVAILABLE = 503;
/** How a question ends that is answered by doing it all the same. */
const SURE = "say it again with sure.";
const at = (name) => document.getElementById(name);
const below = (path) => new URL(path, location.href).pathname;
const hearing = new Hearing(at("said"));
const turning = new Turning(at("turn"), say);
const due = new Due(at("due"), say);
const rolling = new Rolling(at("roll"), say);
const picture = (id) => below(`picture/${id}`);
const draw = drawnInto(at("board"), picture, () => (me.director ? [] : me.plays ?? []));
const throwing = new Throwing(at("thrown"), at("board"));
const words = new Words(at("room"), picture);
const picturing = new Picturing(at("add-picture"), sendPicture, refused);
const acting = new Acting(at("acts"), at("act"), below, say);
const panel = new Panel(at("asked"));
const building = new Building(below, acting);
const people = new People(at("counts"), below, say, acting, building);
let me = {};
/** What lies on the table. */
let table = {};
let proposals;
let remembering;
let met = false;

async function begin() {
  const begun = JSON.parse(at("begun").textContent);
  me = begun?.here ?? await ask(below("here.json"));
  document.title = me.title;
  at("title").textContent = me.title;
  showWhose();
  document.documentElement.classList.toggle("director", me.director);
  at("screen").hidden = !me.director && me.viewer !== "table";
  at("writing").hidden = !me.director;
  if (me.viewer !== "table") {
    seated();
  }
  await new Following(below, ask, heard).begin(begun);
}

/** Whose page it is; and of several lines the one that is played, which a switch changes. */
function showWhose() {
  const line = me.branches.length > 1 ? ` · on the line “${me.line}”` : "";
  at("whose").textContent = me.director ? `The game master${line}` : me.viewer === "table" ? "As the table sees it" : me.viewer;
}

/** Sets out what there is to say and to hand in. */
function seated() {
  proposals = new Proposals(at("proposals"), me.director, settle);
  at("saying").hidden = false;
  at("may").hidden = false;
  for (const name of ["add-picture", "acts", "reads"]) {
    at(name).hidden = !me.director;
  }
  at("home").hidden = !me.home;
  if (me.director) {
    directed();
  }
  at("direct").hidden = !me.director;
  at("speak").hidden = !me.director && !me.plays.length;
  if (!me.director) {
    at("speaker").replaceChildren(...speakers(me.plays), wholeLine());
  }
  for (const name of ["line", "speaker", "words-of"]) {
    keepsTyped(at(name));
  }
  if (!me.director) {
    remembering = new Remembering(location.pathname);
    at("pocket").hidden = false;
    at("room").after(at("handed"));
    at("may").open = false;
  }
}

/** What the game master alone has: export, what is looked up, players. */
function directed() {
  const tell = (words, isRefused) => (isRefused ? refused(words) : answered(words));
  new Finding(at("reads"), panel, below, asks, read);
  rolling.forAll(look);
  due.ofMany = true;
  const more = button("More …", () => building.verbs(more));
  at("acts").append(more);
  words.choosing((event, line) => mend(event, line, acting, below));
  const panels = [["Lines", "Lines", new Branching(read, asks, say, acting)], ["Export", "Export", new Saving(below, me.copies, tell)], ["Players", "Players’ links", new Inviting(below, tell)]];
  for (const [words, heading, one] of panels) {
    at("help").before(button(words, () => {
      panel.show(heading, one.element);
      one.open();
    }));
  }
}

function speakers(names) {
  return ["says", "narrates"].flatMap((how) => names.map((name) => way(name, how)));
}

/** Who may be spoken for, by the game master: everybody on the table; a whole line is typed in its own field. */
function showSpeakers() {
  const { people } = acting.now, stamp = people.join("\n");
  if (at("speaker").dataset.stamp !== stamp || !at("speaker").options.length) {
    const isFirst = !at("speaker").options.length, chosen = isFirst ? remembered(at("speaker")) ?? (me.home ? "narrate gm" : "") : at("speaker").value;
    at("speaker").dataset.stamp = stamp;
    at("speaker").replaceChildren(make("option", { value: "narrate gm" }, "You narrate"), ...speakers(people), wholeLine());
    at("speaker").value = Array.from(at("speaker").options).some((one) => one.value === chosen) ? chosen : "";
    at("hearers").replaceChildren(...Object.entries({ "": "to everybody", " --gm": "to nobody: you alone", ...Object.fromEntries(people.map((name) => [` --to ${quoted(name)}`, `to ${name} alone`])) }).map(([value, text]) => make("option", { value }, text)));
    spokenFor();
  }
}

/** Where a whole line is typed there is no other field. */
function spokenFor() {
  const whole = me.director && !at("speaker").value;
  at("direct").hidden = !whole;
  at("hearers").hidden = !me.director || whole;
  at("speak").classList.toggle("whole", whole);
  const heard = at("hearers").selectedOptions[0];
  at("words-of").placeholder = me.director && heard?.value ? `Said ${heard.textContent}` : "Yours to say";
}

/** What somebody may say for one of theirs. */
function way(name, how) {
  const option = document.createElement("option");
  option.value = `${how === "says" ? "say" : "narrate"} ${quoted(name)}`;
  option.textContent = `${name} ${how}`;
  return option;
}

/** A line as the game master types it, or a question such as `hp Zel`. */
function wholeLine() {
  const option = document.createElement("option");
  option.value = "";
  option.textContent = "A line, or a question";
  return option;
}

const heard = {
  board(board, changed) {
    table = board;
    draw(board, changed);
    throwing.show(board, changed);
    picturing.show(board);
    acting.show(board);
    if (me.director) {
      showSpeakers();
    }
  },
  happened(events) {
    words.tell(events);
    remembering?.now();
    const told = events.map(heardOf).filter(Boolean);
    if (told.length) {
      hearing.say(told.length > 1 ? `${told.length} things happened. ${told.at(-1)}` : told[0]);
    }
    look();
  },
  async anew(events) {
    words.tellAnew(events);
    look();
    if (me.director) {
      me = await ask(below("here.json"));
      showWhose();
    }
  },
  proposal(one) {
    if (me.director && one.state === "waiting") {
      hearing.say(`${one.who} hands in: ${one.line}`);
    } else if (!me.director && one.state !== "waiting") {
      hearing.say([one.state, one.why].filter(Boolean).join(": "));
    }
    look();
  },
  gone() {
    remembering?.forget();
    state("Your link is no longer good: ask your game master for a new one.");
  },
  here(here) {
    state(here ? "" : "Looking for the table …");
    if (here && met) { // what it begins with is asked for already
      look();
    }
    met ||= here;
  },
};

/** How it stands with the line to the table; nothing where it stands well. */
function state(words) {
  if (at("here").textContent !== words) {
    at("here").textContent = words;
    at("here").hidden = !words;
    hearing.say(words || "The table is here again.");
  }
}

/** Asks what is due and what waits, soon, and not too often: several reasons at once are one question. */
let looking;
let looked = 0;
function look() {
  if (me.viewer === "table" || looking) {
    return;
  }
  looking = setTimeout(async () => {
    looking = null;
    looked = Date.now();
    try {
      const [may, handed] = await Promise.all([ask(rolling.who ? `${below("can")}?who=${encodeURIComponent(rolling.who)}` : below("can")), ask(below("proposals"))]);
      showDue(may.choices);
      if (!me.director) {
        turning.show(may, table, me.plays);
      }
      rolling.show(may.rolls, me.director ? acting.now.people : []);
      if (me.director) {
        await people.show(may.counts);
      }
      showHandedIn(handed.proposals);
      unlooked("");
    } catch (error) {
      if (error.status === 429) {
        look();
      } else {
        unlooked(error.message);
      }
    }
  }, Math.max(80, looked + OFTEN - Date.now()));
}

/** Why what is due is not what stands there; nothing where it is. Without a network the page says so already. */
function unlooked(words) {
  const shown = at("here").hidden ? words : "";
  if (at("unlooked").textContent !== shown) {
    at("unlooked").textContent = shown;
    at("unlooked").hidden = !shown;
    if (shown) {
      hearing.say(shown);
    }
  }
}

function showDue(choices) {
  due.show(choices);
  at("many").textContent = choices.length || "nothing";
  at("may").classList.toggle("some", choices.length > 0);
}

function showHandedIn(handed) {
  proposals.show([...handed].sort((one, other) => one.sent.localeCompare(other.sent)));
  at("handed").hidden = !at("proposals").children.length;
}

/** A second tap on what is under way says nothing again; where no answer came, the same line goes under the same id. */
const wishes = new Map();
/** The line said last; a late answer to another one is not shown in its place. */
let latest = null;
async function say(line, done, sure = false, heading = line) {
  const before = wishes.get(line);
  if (before?.underWay) {
    return;
  }
  const unanswered = before && Date.now() - before.at < UNANSWERED;
  const wish = { id: unanswered ? before.id : newId(), at: Date.now(), underWay: true };
  wishes.set(line, wish);
  latest = wish;
  refused("");
  try {
    const answer = await ask(below(me.director ? "say" : "proposals"), { line, id: wish.id, ...(sure ? { sure } : {}) });
    wishes.delete(line);
    at("lately").hidden = false;
    at("lately").querySelector("code").textContent = line;
    told(answer, heading, wish === latest);
    done();
  } catch (error) {
    if (error.status && error.status !== UNAVAILABLE) {
      wishes.delete(line);
    }
    refused(error.message);
    if (error.message.endsWith(SURE)) {
      at("refused").append(" ", doing(() => say(line, done, true)));
    }
    if (error.edit && !error.edit.includes("\n") && at("line").value.trim() === line) {
      at("line").value = error.edit;
    }
  }
  wish.underWay = false;
  panel.answered();
  look();
}

/** Asks what a line answers, under a heading; until then the place of the answer says that it comes. */
function asks(heading, line) {
  panel.wait(heading);
  say(line, () => {}, false, heading);
}

/** What is answered to a line that only reads. */
async function read(line) {
  return (await ask(below("say"), { line, id: newId() })).said;
}

/** Says the answer to a line, and shows that of a line that records nothing, such as a question; a long one in a place of its own, unless another line was said since. */
function told({ said, at: recorded, state }, heading, isLatest) {
  const words = said.join(" ");
  const isShown = me.director ? !recorded : state === "answered";
  const isLong = isShown && said.length > 1;
  show("answered", isShown && !isLong ? words : "");
  if (isLong && isLatest) {
    showAsked(heading, said);
  }
  hearing.say(isLong ? `The answer: ${heading}` : me.director || isShown ? words : "Handed in.");
}

/** A long answer, such as that of `recap`, above what can happen, until it is closed. */
function showAsked(heading, said) {
  panel.show(heading, ...answer(said));
}

/** What came of something that was no line. */
function answered(words) {
  refused("");
  show("answered", words);
  hearing.say(words);
}

/** A button that does what was asked about. */
function doing(act) {
  const button = document.createElement("button");
  button.textContent = "Do it";
  button.addEventListener("click", act);
  return button;
}

/** Sends a line with its picture; true where it is recorded. */
async function sendPicture(line, picture, id) {
  refused("");
  try {
    const { said } = await ask(below("pictures"), { line, picture, id });
    hearing.say(said.join(" "));
    return true;
  } catch (error) {
    refused(error.message);
    return false;
  } finally {
    look();
  }
}

async function settle(proposal, what) {
  refused("");
  try {
    await ask(below(`proposals/${proposal.id}`), what);
  } catch (error) {
    refused(error.message);
  }
  look();
}

function refused(words) {
  show("answered", "");
  show("refused", words);
  if (words) {
    hearing.say(words);
  }
}

function show(name, words) {
  at(name).textContent = words;
  at(name).hidden = !words;
}

function directs() {
  const completing = new Completing(at("line"), at("offers"), (line) => ask(`${below("complete")}?line=${encodeURIComponent(line)}`));
  at("direct").addEventListener("submit", (event) => {
    event.preventDefault();
    completing.close();
    say(at("line").value.trim(), () => emptied(at("line")));
  });
  document.addEventListener("keydown", (event) => {
    const act = { F8: () => proposals?.takeFirst(), F9: () => proposals?.refuseFirst() }[event.key];
    if (me.director && act?.()) {
      event.preventDefault();
    }
  });
}

function speaks() {
  const field = at("words-of");
  at("speaker").addEventListener("change", spokenFor);
  at("hearers").addEventListener("change", spokenFor);
  at("speak").addEventListener("submit", (event) => {
    event.preventDefault();
    const how = at("speaker").value;
    say(how ? `${how}${at("hearers").value}: ${written(field.value)}` : field.value.trim(), () => {
      emptied(field);
      field.style.height = "";
    });
  });
  field.addEventListener("keydown", (event) => {
    const sends = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (sends && matchMedia("(pointer: fine)").matches) { // where there is a keyboard
      event.preventDefault();
      at("speak").requestSubmit();
    }
  });
  field.addEventListener("input", () => {
    field.style.height = "";
    field.style.height = `${field.scrollHeight + 2}px`;
  });
}

/** While a picture is added what is due folds away, for both have no room on a phone. */
function makesRoom() {
  let before = true;
  at("add-picture").addEventListener("toggle", () => {
    const { open } = at("add-picture");
    before = open ? at("may").open : before;
    at("may").open = !open && before;
  });
}

/** On a phone what is due and what may be rolled have no room beside each other. */
function oneFold() {
  const folds = [at("may"), at("roll")];
  for (const [one, other] of [folds, folds.toReversed()]) {
    one.addEventListener("toggle", () => {
      if (one.open && matchMedia("(max-width: 760px)").matches) {
        other.open = false;
      }
    });
  }
}

/** What was handed to this player, in one place. */
async function showPocket() {
  try {
    panel.show("Your pocket", ...pocket((await ask(below("pocket"))).events, picture));
  } catch (error) {
    refused(error.message);
  }
}

at("pocket").addEventListener("click", showPocket);
at("help").addEventListener("click", () => asks("Help", "help"));
directs();
speaks();
makesRoom();
oneFold();
begin().catch((error) => state(error.message));
