/** Opens the page with the value that is in it, where that has pictures or colours of people. */
import { Page } from "./main.js";
import { phrase, speak } from "./phrases.js";
import { illustrated, portrayed } from "./portraits.js";

/** What was packed: JSON, deflated, in base64. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

speak(JSON.parse(document.getElementById("words").textContent));
if ("DecompressionStream" in window) portrayed(new Page(illustrated(await unpacked(document.getElementById("replay").textContent))));
else document.getElementById("told").textContent = phrase("too-old");
