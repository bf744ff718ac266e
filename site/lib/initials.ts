/** At most two letters for a name, e.g. `AC` for Ana Cole; none for a name that begins with other signs. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /^\p{L}/u.test(word))
  const first = letterOf(words[0])
  // Letters that are joined, or stand for a whole syllable, are no initials together.
  return /\p{Lu}/u.test(first) && words.length > 1 ? first + letterOf(words.at(-1)) : first
}

function letterOf(word = ''): string {
  return (Array.from(word)[0] ?? '').toLocaleUpperCase('en-US')
}
