/** The result of one check: fine, or a text that says what to do. A warning is fine for now, but worth knowing. */
export type Finding = { name: string; ok: boolean; text: string; warning?: true }
