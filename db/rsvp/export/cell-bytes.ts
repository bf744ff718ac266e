// Cells of text on their way from SQLite to a file, as the bytes that SQLite hands over: UTF-8 with an end behind each
// cell. No text contains the ends, because UTF-8 does not use these bytes.

/** Behind each cell but the last one of a row. */
export const CELL_END = 0xff
/** Behind the last cell of a row. */
export const ROW_END = 0xfe

/** Rows of texts as SQLite would hand them over. */
export function cellBytes(rows: string[][]): Buffer {
  return Buffer.concat(
    rows.flatMap((cells) =>
      cells.flatMap((cell, place) => [Buffer.from(cell), Buffer.of(place === cells.length - 1 ? ROW_END : CELL_END)]),
    ),
  )
}
