// Home: a file that is chosen or dropped is brought in; one more line for people; nothing is sent twice.

const says = document.getElementById("says");
const more = document.getElementById("more");

function say(words) {
  says.textContent = words;
  says.hidden = !words;
}

async function bring(form, file) {
  const button = form.querySelector("button");
  button.disabled = true;
  say(`${file.name} is checked …`);
  try {
    const answer = await fetch(`${form.dataset.to}?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file, headers: { Accept: "application/json" } });
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

for (const form of document.querySelectorAll(".file")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    bring(form, form.elements.brought.files[0]);
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) {
        bring(form, event.dataTransfer.files[0]);
      }
    });
  }
}
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => event.preventDefault()); // else the browser leaves the page for the file
}

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
