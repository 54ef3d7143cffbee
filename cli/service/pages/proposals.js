// What was handed in, and what became of it; the game master takes or refuses it.

/** Fills `place` with these proposals; `answer` is told one and what is answered. */
export function showProposals(place, proposals, me, answer) {
  place.replaceChildren(...proposals.map((one) => shown(one, me, answer)));
}

function shown(one, me, answer) {
  const item = document.createElement("li");
  item.dataset.state = one.state;
  const line = document.createElement("p");
  line.dir = "auto";
  line.textContent = me.director ? `${one.who}: ${one.line}` : one.line;
  item.append(line);
  if (one.state !== "waiting" || one.why) {
    const became = document.createElement("small");
    became.dir = "auto";
    became.textContent = [one.state === "waiting" ? "" : one.state, one.why].filter(Boolean).join(": ");
    item.append(became);
  }
  if (one.state === "waiting" && me.director) {
    const why = document.createElement("input");
    why.dir = "auto";
    why.placeholder = "Why not";
    why.setAttribute("aria-label", "Why it is refused");
    item.append(
      button("Take", () => answer(one, { take: true })),
      why,
      button("Refuse", () => answer(one, { refuse: why.value })),
    );
  } else if (one.state === "waiting") {
    item.append(button("Withdraw", () => answer(one, { withdraw: true })));
  }
  return item;
}

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}
