// Home: a file that is chosen or dropped is brought in; one more line for people; nothing is sent twice.

const says = document.getElementById("says");
const bringing = document.getElementById("file");
const more = document.getElementById("more");

function say(words) {
  says.textContent = words;
  says.hidden = !words;
}

async function bring(file) {
  const button = bringing.querySelector("button");
  button.disabled = true;
  say(`${file.name} is checked …`);
  try {
    const answer = await fetch(`/home/file?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file, headers: { Accept: "application/json" } });
    const { at, error } = await answer.json();
    if (at) {
      location.assign(at);
    } else {
      say(error);
    }
  } catch {
    say("Retold does not answer: is it still open? Start it again.");
  }
  button.disabled = false;
}

bringing.addEventListener("submit", (event) => {
  event.preventDefault();
  bring(bringing.elements.brought.files[0]);
});
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    bringing.classList.toggle("over", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) {
      bring(event.dataTransfer.files[0]);
    }
  });
}
document.addEventListener("dragleave", () => bringing.classList.remove("over"));

more.hidden = false;
more.addEventListener("click", () => {
  const rows = document.querySelectorAll(".cast .row:not(.heads)");
  const row = rows[rows.length - 1].cloneNode(true);
  row.querySelectorAll("input").forEach((one) => {
    one.value = "";
    one.setAttribute("aria-label", one.getAttribute("aria-label").replace(/\d+/, rows.length + 1));
  });
  more.before(row);
  row.querySelector("input").focus();
});

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) {
    setTimeout(() => event.target.querySelectorAll("button").forEach((one) => {
      one.disabled = true;
    }));
  }
});
addEventListener("pageshow", () => document.querySelectorAll("button").forEach((one) => {
  one.disabled = false;
}));
