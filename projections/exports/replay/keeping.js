/** What this browser keeps of what its reader chose; nothing where it keeps nothing. */

/** Whether that was chosen. */
export function kept(what) {
  try {
    return localStorage.getItem(`retold ${what}`) !== null;
  } catch {
    return false;
  }
}

/** Keeps that it was chosen, or that it was not. */
export function keep(what, chosen) {
  try {
    if (chosen) localStorage.setItem(`retold ${what}`, "1");
    else localStorage.removeItem(`retold ${what}`);
  } catch {
    // A page that may keep nothing begins as any other.
  }
}
