// Joining: the secret behind the # of a link is handed in once, and becomes a cookie.

import { ask } from "./asking.js";

const says = document.getElementById("says");
const form = document.getElementById("join");

async function join(link) {
  const secret = link.slice(link.lastIndexOf("#") + 1).trim();
  history.replaceState(null, "", "/");
  try {
    const joined = await ask("/join", { link: secret });
    location.assign(joined.at);
  } catch (error) {
    says.textContent = error.message;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  join(form.elements.link.value);
});

/** A link that is pasted into this tab changes only what stands behind the #. */
function come() {
  if (location.hash.length > 1) {
    join(location.hash);
  }
}

addEventListener("hashchange", come);
come();
