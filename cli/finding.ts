/** One thing that was looked at: all right, or a text that says what to do. */
export type Finding = { name: string; ok: boolean; text: string }
