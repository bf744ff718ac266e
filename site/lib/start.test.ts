// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { startApp } from './start.ts'

it('stops with a message when the root element is missing', () => {
  const page = new DOMParser().parseFromString('<div id="other"></div>', 'text/html')
  expect(() => startApp(page)).toThrow('Failed to find the root element')
})

it('goes on when it is there', () => {
  const page = new DOMParser().parseFromString('<div id="root"></div>', 'text/html')
  expect(() => startApp(page)).not.toThrow()
})
