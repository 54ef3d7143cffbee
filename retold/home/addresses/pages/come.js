// Coming home: the secret behind the # is for one use, and becomes a cookie.

import { ask } from "/pages/asking.js";

const link = location.hash.slice(1);
history.replaceState(null, "", "/home/come");
try {
  const { at } = await ask("/home/come", { link });
  location.replace(at);
} catch (error) {
  document.getElementById("says").textContent = error.message;
}
