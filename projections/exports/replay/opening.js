/** Opens the page with the value that is in it. */
import { Page } from "./main.js";

new Page(JSON.parse(document.getElementById("replay").textContent));
