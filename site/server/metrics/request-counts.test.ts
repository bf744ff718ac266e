import { expect, it } from 'vitest'
import { countReply, noRequests, repliesOf } from './request-counts.ts'

it('counts by route, method and class of status, and makes one of all methods that it does not know', () => {
  const counts = noRequests()
  const replies = [
    ['GET', 200],
    ['GET', 204],
    ['GET', 503],
    ['OPTIONS', 405],
    ['MKCOL', 405],
    ['REPORT', 404],
    ['HEAD', 100],
  ] as const
  for (const [method, status] of replies) countReply(counts, { method, route: '/share', status, ms: 2 })
  countReply(counts, { method: 'GET', route: '404', status: 404, ms: 7000 })
  expect([...counts.byRoute.keys()]).toEqual(['/share', '404'])
  const share = counts.byRoute.get('/share')
  expect(share && repliesOf(share)).toEqual([
    { method: 'GET', status: '2xx', count: 2 },
    { method: 'GET', status: '5xx', count: 1 },
    { method: 'HEAD', status: '1xx', count: 1 },
    { method: 'OPTIONS', status: '4xx', count: 1 },
    { method: 'other', status: '4xx', count: 2 },
  ])
  expect(share?.durations.counts[1]).toBe(7)
})
