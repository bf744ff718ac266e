/** The result of one check: fine, or a text that says what to do. A warning is fine for now, but worth knowing. */
export type Finding = { name: string; ok: boolean; warning?: true; text: string }

export function fine(name: string, text: string): Finding {
  return { name, ok: true, text }
}

export function warning(name: string, text: string): Finding {
  return { name, ok: true, warning: true, text }
}

export function wrong(name: string, text: string): Finding {
  return { name, ok: false, text }
}
