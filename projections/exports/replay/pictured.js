/** Opens the page with the value that is in it, where that has pictures or colours of people. */
import { Page } from "./main.js";
import { phrase, speak } from "./phrases.js";
import { illustrated, portrayed } from "./portraits.js";

speak(JSON.parse(document.getElementById("words").textContent));
if ("DecompressionStream" in window) {
  const packed = Uint8Array.from(atob(document.getElementById("replay").textContent), (letter) => letter.charCodeAt(0));
  const whole = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  portrayed(new Page(illustrated(await new Response(whole).json())));
} else document.getElementById("told").textContent = phrase("too-old");
