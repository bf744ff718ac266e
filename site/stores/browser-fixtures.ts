import { setPersistentEngine } from '@nanostores/persistent'
import { vi } from 'vitest'

/** Stubs the parts of a browser that stores use: both storages, and a page without elements. `unstubAllGlobals` ends it. */
export function stubBrowser(): void {
  const events = new EventTarget()
  const [local, session] = [createStorage(), createStorage()]
  setPersistentEngine(local, {
    addEventListener: (_key, listener) => events.addEventListener('storage', listener as never),
    removeEventListener: (_key, listener) => events.removeEventListener('storage', listener as never),
  })
  const none = {
    querySelectorAll: () => [],
    querySelector: () => null,
    activeElement: null,
    getElementById: () => null,
  }
  const globals = { localStorage: local, sessionStorage: session, scrollY: 0, innerHeight: 640, document: none }
  const location = { pathname: '/admin', reload: () => {} }
  for (const [name, value] of Object.entries({ ...globals, location })) vi.stubGlobal(name, value)
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, events[name].bind(events))
}

function createStorage(): Record<string, string> {
  const kept: Record<string, string> = Object.create({
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => {
      kept[name] = text
    },
    removeItem: (name: string) => {
      delete kept[name]
    },
  })
  return kept
}
