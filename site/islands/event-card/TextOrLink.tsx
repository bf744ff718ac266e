/** A text that leads somewhere, if there is somewhere to lead to. */
export function TextOrLink({ text, href }: { text: string; href: string | undefined }) {
  return href === undefined ? text : <a href={href}>{text}</a>
}
