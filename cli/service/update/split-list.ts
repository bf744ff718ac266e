import { type Account, runToolAs } from '../system.ts'

/** An import reads at most 50,000 rows and 20 MB, in every version; a character has up to four bytes. */
const PART_MAXIMUM = { rows: 20_000, characters: 4_000_000 }

/** Every part has the line of titles. A row goes over several lines where a line ends within quotes. */
const SPLIT = `
NR == 1 { titles = $0; next }
!quoted && (part == 0 || rows >= maxRows || characters >= maxCharacters) {
  if (part > 0) close(out)
  out = FILENAME "." (++part)
  print titles > out
  rows = characters = 0
}
{
  print > out
  characters += length($0)
  quoted = (quoted + gsub(/"/, "&")) % 2
  rows += !quoted
}
END { print part + 0 }`

/**
 * Splits an export into files beside it that are small enough for an import, and returns them with the oldest responses
 * first. As the account, whose folder root must not write to.
 */
export async function splitList(list: string, account: Account | undefined, maximum = PART_MAXIMUM): Promise<string[]> {
  const bounds = ['-v', `maxRows=${maximum.rows}`, '-v', `maxCharacters=${maximum.characters}`]
  const parts = Number(await runToolAs(account ?? {}, 'awk', ...bounds, SPLIT, list))
  return Array.from({ length: parts }, (_, at) => `${list}.${parts - at}`)
}
