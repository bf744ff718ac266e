import { describe, expect, it } from 'vitest'
import { runTool } from './system.ts'

describe('runTool', () => {
  it('returns what a tool printed, and tells what it said when it fails or is missing', async () => {
    expect(await runTool('sh', '-c', 'echo done')).toBe('done')
    await expect(runTool('sh', '-c', 'echo no room >&2; exit 3')).rejects.toThrow('failed: no room.')
    await expect(runTool('sh', '-c', 'exit 3')).rejects.toThrow('failed: it ended with 3.')
    await expect(runTool('no-such-tool')).rejects.toThrow('failed: it is not installed here.')
  })

  it('runs it apart, so that Ctrl+C reaches only this command', async () => {
    // A group of processes has the number of the one that leads it.
    expect(await runTool('sh', '-c', 'kill -0 -$$ && echo apart')).toBe('apart')
  })
})
