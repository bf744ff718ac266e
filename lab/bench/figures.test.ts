import { describe, expect, it } from 'vitest'
import { judge, percentileOf } from './figures.ts'

const samples = { name: 'replies', unit: '/s', ours: [30, 10, 20], limit: [10, 20, 20] }

describe('a figure', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('has the median of %j', (numbers, median) => {
    expect(judge({ name: 'replies', unit: '/s', ours: numbers }).ours.median).toBe(median)
  })

  it('has the percentile that so many samples do not exceed', () => {
    const sorted = Array.from({ length: 100 }, (_, place) => place + 1)
    expect([0.5, 0.99, 1].map((part) => percentileOf(sorted, part))).toEqual([50, 99, 100])
    expect(percentileOf([5], 0.99)).toBe(5)
  })

  it('compares the medians, and tells the lowest and the highest ratio of a round', () => {
    expect(judge(samples)).toMatchObject({
      ours: { median: 20, min: 10, max: 30 },
      limit: { median: 20, min: 10, max: 20 },
      ratio: { median: 1, min: 0.5, max: 3 },
      missed: false,
    })
  })

  it.each([
    [{ atLeast: 1 }, false],
    [{ atLeast: 1.01 }, true],
    [{ atMost: 1 }, false],
    [{ atMost: 0.99 }, true],
  ])('holds its ratio against %j', (target, missed) => {
    expect(judge({ ...samples, target }).missed).toBe(missed)
  })

  it('without a limit is held against the target itself', () => {
    const { name, unit, ours } = samples
    expect(judge({ name, unit, ours, target: { atMost: 20 } }).missed).toBe(false)
    expect(judge({ name, unit, ours, target: { atMost: 19 } }).missed).toBe(true)
  })

  it('misses its target where a sample is not a number, and needs samples', () => {
    expect(judge({ ...samples, ours: [Number.NaN, 1, 1], target: { atMost: 5 } }).missed).toBe(true)
    expect(() => judge({ ...samples, ours: [] })).toThrow('There are no samples.')
  })
})
