/** The version of `publicNameOf`. Raise it whenever a name shows less than before, so that stored ones are renewed. */
export const PUBLIC_NAME_RULE = 1
