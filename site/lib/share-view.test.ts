import { describe, expect, it } from 'vitest'
import { isShareView } from './share-view.ts'

describe('a share view', () => {
  it.each(['/share', '/share/', '/a/share', '/share/x'])('is %s', (path) => expect(isShareView(path)).toBe(true))
  it.each(['/', '/shared', '/reshare', '/admin', '/Share'])('is not %s', (path) =>
    expect(isShareView(path)).toBe(false),
  )
})
