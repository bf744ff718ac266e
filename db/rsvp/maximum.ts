/** How many people one response brings along. Apart from the schema: the form shows it before the schema has come. */
export const FAMILY_MEMBERS_MAXIMUM = 20

/** In UTF-16 code units. Apart from the schema: the form shows it before the schema has come. */
export const MESSAGE_MAXIMUM = 2000
