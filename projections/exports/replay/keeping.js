/** What this browser keeps of what its reader chose; nothing where it keeps nothing. */

/** What was kept of that, or whether it was chosen; null where it was not. */
export function kept(what) {
  try {
    return localStorage.getItem(`retold ${what}`);
  } catch {
    return null;
  }
}

/** Keeps a word, or that it was chosen, or that it was not. */
export function keep(what, chosen) {
  try {
    if (chosen) localStorage.setItem(`retold ${what}`, chosen === true ? "1" : chosen);
    else localStorage.removeItem(`retold ${what}`);
  } catch {
    // A page that may keep nothing begins as any other.
  }
}
