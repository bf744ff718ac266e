/**
 * One thing that was looked at: all right, or a text that says what to do. A warning is all right for now, and somebody
 * should know it all the same.
 */
export type Finding = { name: string; ok: boolean; text: string; warning?: true }
