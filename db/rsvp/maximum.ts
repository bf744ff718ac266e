/** Apart from the schema: the form shows it before the schema has loaded. */
export const FAMILY_MEMBERS_MAXIMUM = 20

/** In UTF-16 code units. Apart from the schema: the form shows it before the schema has loaded. */
export const MESSAGE_MAXIMUM = 2000

/** What a printer and a browser still take. */
export const PRINTED_MAXIMUM = 5000
export const tooManyToPrint = 'At most 5,000 responses can be printed at once. Choose fewer, or download the CSV.'
