import { and } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { type RsvpSearch, rsvpSearch } from '#db/values/rsvp.ts'
import { isAnonymous } from '#db/values/rsvp-fields.ts'
import { openForTests, storeRows, testCall, testRsvp, testStoredRsvp } from '#testing/database-fixtures.ts'
import { hasEmail, isLive } from './read.ts'
import { conditions, findAllIds, isNotAnonymous, matching } from './search.ts'
import { createRsvp } from './submit.ts'

const call = testCall()

describe('matching', () => {
  const response = testStoredRsvp(1234, {
    name: 'José Álvarez',
    email: 'jose@Alvarez.example',
    phone: '555-0100',
    message: 'Line one\nBeten Sie für uns',
    familyMembers: [
      { name: '김민수', age: 'child', attending: true },
      { name: 'محمد علي', age: null, attending: false },
    ],
    volunteerSignups: [{ role: { id: 2, name: 'Audio and Video' } }],
  })

  it.each(['1234', 'José', '@alvarez.example', '0100', 'one', '김민수', 'علي', 'video'])(
    'finds %s in the field that has it',
    (search) => expect(matching(search)(response)).toBe(true),
  )

  it.each(['jose', 'ÁLVAREZ', 'jose\u0301', 'FÜR', 'fur', 'ｊｏｓｅ', 'video jose', '  jose \t 0100\n', '', '   '])(
    'finds every word of %j in any case and order, with or without accents',
    (search) => expect(matching(search)(response)).toBe(true),
  )

  it.each(['maria', 'jose maria', 'oneBeten', '김민수محمد', 'attending', '2025', '.*', '5550199', '555 0100 77'])(
    'does not find %j',
    (search) => expect(matching(search)(response)).toBe(false),
  )

  it.each([
    ['Łukasz Đorđević', ['lukasz', 'dordevic']],
    ['Hans Groß', ['gross', 'groß', 'GROSS']],
    ['Işık Yılmaz', ['isik', 'YILMAZ']],
    ['علی رضایی', ['علي', 'رضايى']],
    ['김민수 李小龙', ['김민', '小龙']],
    ['Ruth Lind', ['Lind, Ruth', '"Ruth Lind"', 'Lind/Ruth', 'Ruth & Lind']],
    ["Ann O'Neil", ['O’Neil', 'oneil']],
    ['Mary-Ann Roe', ['mary-ann', 'mary‑ann', 'mary ann']],
  ])('finds %s by what people type for it', (name, searches) => {
    const named = testStoredRsvp(1, { name })
    expect(searches.filter((search) => !matching(search)(named))).toEqual([])
  })

  it.each([
    [
      '+1 (555) 010-0199',
      ['5550100199', '555 010 0199', '555.010.0199', '+1 555-010-0199', '0100199', '55 50 10 01 99'],
    ],
    ['+49 171 2345678', ['0171/2345678', '1712345678', '0049 171 2345678', '+49 (0)171 2345678']],
    ['0171-2345678', ['+49 171 2345678', '0049 1712345678', '(+49) 171']],
    [
      '555 0142',
      ['5550142', '(555) 01-42', '0142', '555', '+1 555 0142', '٥٥٥ ٠١٤٢', '５５５０１４２', '5550142 lind'],
    ],
    ['٥٥٥ ٠١٤٢ (مساء)', ['555-0142', 'Ruth 0142', '+966 555 0142']],
  ])('finds the number %s however it is divided', (phone, searches) => {
    const called = testStoredRsvp(1, { name: 'Ruth Lind', phone })
    expect(searches.filter((search) => !matching(search)(called))).toEqual([])
    expect(['5550143', '+1 555 0143', 'Ruth 0143'].some((search) => matching(search)(called))).toBe(false)
  })
})

const deletedAt = '2025-02-01T00:00:00.000Z'
const rows = [
  { name: 'early', email: 'Ana@Cole.example', createdAt: '2025-01-04T23:59:59.999Z' },
  { name: 'midnight', email: 'ana@cole.example', createdAt: '2025-01-05T00:00:00.000Z', attending: false },
  { name: 'deleted', email: 'ANA@COLE.EXAMPLE', createdAt: '2025-01-06T00:00:00.000Z', deletedAt },
  {
    name: 'other',
    email: 'ana@cole.example.org',
    createdAt: '2025-01-07T00:00:00.000Z',
    suspicion: 'flood' as const,
    serviceDate: '2025-01-18',
  },
  { name: 'Anonymous', email: '', createdAt: '2025-01-08T00:00:00.000Z', attending: false },
  { name: 'Anonymous', email: '', phone: '555 0101', createdAt: '2025-01-08T00:00:00.000Z', deletedAt },
  { name: 'Anonymous', email: '', message: 'Pray for us', createdAt: '2025-01-08T00:00:00.000Z', deletedAt },
  { name: 'anonymous', email: '', createdAt: '2025-01-08T00:00:00.000Z', deletedAt },
].map((row, place) => ({ attending: true, phone: null, message: null, ...row, id: place + 1 }))

async function idsWhere(where: Parameters<typeof and>): Promise<number[]> {
  const found = await db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(and(...where))
    .orderBy(rsvps.id)
  return found.map(({ id }) => id)
}

describe('conditions', () => {
  openForTests()
  beforeAll(async () => {
    await storeRows(rows)
    const offers = [1, 3, 5].map((rsvpId) => ({ rsvpId, roleId: 2 }))
    await transaction((tx) => tx.insert(volunteerSignups).values(offers))
  })

  it.each<[RsvpSearch, number[]]>([
    [{}, [1, 2, 4, 5]],
    [{ status: 'attending' }, [1, 4]],
    [{ status: 'not-attending' }, [2, 5]],
    [{ email: 'aNA@coLE.example' }, [1, 2, 3]],
    [{ email: 'ana@cole.example', deleted: 'true' }, [3]],
    [{ role: '2' }, [1]],
    [{ role: '3' }, []],
    [{ suspicious: 'true' }, [4]],
    [{ week: '2025-01-18' }, [4]],
  ])('of %j leave %j', async (filter, ids) => {
    expect(await idsWhere(conditions(rsvpSearch.parse(filter)))).toEqual(ids)
  })

  it('tell what is anonymous by what is left to remove, as the fields do', async () => {
    expect(rows.filter(isAnonymous).map(({ id }) => id)).toEqual([5])
    expect(await idsWhere([isNotAnonymous])).toEqual([1, 2, 3, 4, 6, 7, 8])
    expect(await idsWhere([isLive, isNotAnonymous])).toEqual([1, 2, 4])
  })

  it.each(['%@cole.example', 'ana_cole.example', "' OR 1=1 --"])('take %j by the letter', async (email) => {
    expect(await idsWhere([hasEmail(email)])).toEqual([])
  })
})

describe('findAllIds', () => {
  openForTests()
  beforeAll(async () => {
    await createRsvp(testRsvp({ familyMembers: [{ name: '김민수' }, { name: 'JOEL' }], volunteerRoles: [1] }), call)
    await createRsvp(testRsvp({ name: 'Eva Kim', attending: false, message: '100% of_it' }), call)
    await createRsvp(testRsvp({ name: 'Zoë Last' }), call)
  })

  it.each<[RsvpSearch, number[]]>([
    [{ q: 'joel 김민수' }, [1]],
    [{ q: 'o%t' }, []],
    [{ q: 'cole.example' }, [3, 2, 1]],
    [{ q: 'cole.example', status: 'not-attending' }, [2]],
    [{ q: 'ana', role: '1' }, [1]],
    [{ q: 'ana', suspicious: 'true' }, []],
  ])('finds by %j what `matching` finds, newest first', async (search, ids) => {
    expect(await findAllIds(search)).toEqual(ids)
  })

  it('goes on below an id', async () => {
    expect(await findAllIds({ q: 'ana@' }, 2)).toEqual([1])
  })
})
