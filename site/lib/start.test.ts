// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { startApp } from './start.ts'

it('throws if the root element is missing', () => {
  const page = new DOMParser().parseFromString('<div id="other"></div>', 'text/html')
  expect(() => startApp(page)).toThrow('Failed to find the root element')
})

it('does not throw if the root element exists', () => {
  const page = new DOMParser().parseFromString('<div id="root"></div>', 'text/html')
  expect(() => startApp(page)).not.toThrow()
})
