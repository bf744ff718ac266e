import { and } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { openForTests, storeRows, testCall, testRsvp, testStoredRsvp } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { isAnonymous } from './fields.ts'
import { type RsvpSearch, rsvpSearch } from './schema.ts'
import { conditions, findAllIds, findIds, hasEmail, isLive, isNamed, matching } from './search.ts'
import { createRsvp } from './submit.ts'
import { rsvps, volunteerSignups } from './table.ts'

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

  it.each(['maria', 'jose maria', 'oneBeten', '0100Line', '김민수محمد', 'one\0', 'attending', '2025', '.*'])(
    'does not find %j',
    (search) => expect(matching(search)(response)).toBe(false),
  )

  it.each([
    ['Łukasz Đorđević', ['lukasz', 'LUKASZ ĐORĐEVIĆ', 'dordevic', 'djordjevic']],
    ['Ольга Юрьевна Щукина', ['olga', 'Yurevna', 'shchukina', 'ольга']],
    ['Γιώργος Παππάς', ['giorgos', 'pappas']],
    ['Hans Groß', ['gross', 'groß', 'GROSS', 'GROẞ']],
    ['Søren Kjær', ['soren', 'soeren', 'søren', 'kjaer', 'kjær']],
    ['Jörg Müller', ['mueller', 'muller', 'MÜLLER', 'mu\u0308ller', 'joerg muller', 'jorg']],
    ['Joerg Mueller', ['jörg', 'müller', 'mueller']],
    ['Işık Yılmaz', ['isik', 'yilmaz', 'YILMAZ', 'IŞIK']],
    ['علي كريم', ['علی کریم', 'علي', 'عَلِيّ', 'كـــريم']],
    ['مصطفى أحمد', ['مصطفي', 'مصطفی', 'احمد', 'أحمد']],
    ['علی رضایی', ['علي', 'رضائي', 'رضايى']],
    ['Γιώργος Ким', ['ΓΙΩΡΓΟΣ', 'γιωργοσ', 'ким', 'КИМ']],
    ['김민수 李小龙', ['김민', '小龙', '李']],
    [
      'Ruth Lind',
      ['Lind, Ruth', 'Lind,Ruth', '"Ruth Lind"', '(Ruth)', '“Ruth”', 'Lind/Ruth', 'Ruth & Lind', 'Ruth – Lind'],
    ],
    ["Ann O'Neil", ['O’Neil', 'oneil', 'o`neil', 'OʼNEIL', 'O´Neil']],
    ['Mary-Ann Roe', ['mary-ann', 'mary‑ann', 'mary ann', 'maryann', 'Mary–Ann']],
    ['Ruth (Oma) Lind', ['oma,', 'R\u200but\u2060h', 'Li\u00adnd']],
  ])('finds %s by what people type for it', (name, searches) => {
    const named = testStoredRsvp(1, { name })
    expect(searches.filter((search) => !matching(search)(named))).toEqual([])
  })

  it.each([
    ['+1 (555) 010-0199', ['5550100199', '555 010 0199', '555.010.0199', '15550100199', '+1 555-010-0199', '0100199']],
    [
      '0171/2345678',
      ['01712345678', '+491712345678', '+49 (0)171 2345678', '0049 171 2345678', '491712345678', '2345678'],
    ],
    ['+49 171 2345678', ['0171/2345678', '01712345678', '1712345678', '+49 (0) 171 2345678']],
    ['555 0100', ['5550100', '555-0100', '0100', '٥٥٥ ٠١٠٠', '５５５０１００', '+1 555 0100']],
    ['۰۹۱۲ ۳۴۵ ۶۷۸۹', ['09123456789', '+98 912 345 6789']],
  ])('finds the number %s however it is written, with other words beside it', (phone, searches) => {
    const called = testStoredRsvp(1, { name: 'Ruth Lind', phone })
    const missed = searches.filter((search) => !matching(search)(called) || !matching(`Lind, ${search} ruth`)(called))
    expect(missed).toEqual([])
  })

  it('finds an address as it is pasted, and as our mails write it', () => {
    const sent = testStoredRsvp(1, { name: 'Ruth Lind', email: "o'neil@xn--rucher-bua.example" })
    const pasted = [
      "<o'neil@räucher.example>",
      'Ruth <mailto:O’Neil@xn--rucher-bua.example>,',
      'xn--rucher-bua.\u200bexample',
    ]
    expect(pasted.filter((search) => !matching(search)(sent))).toEqual([])
  })

  it.each([
    ['李小龙', ['li', 'xiao']],
    ['علي', ['ly', 'ali']],
    ['Muller', ['mueller']],
    ['Call 555 0100', ['5550199', '0171 5550100', '1000']],
  ])('does not find %s by letters and numbers that it does not have', (name, searches) => {
    const named = testStoredRsvp(7, { name, phone: '555 0100', email: 'x@q.co' })
    expect(searches.filter((search) => matching(search)(named))).toEqual([])
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
    [{ since: '2025-01-05T00:00:00Z' }, [2, 4, 5]],
    [{ since: '2025-01-04T23:59:59.999Z', status: 'attending' }, [1, 4]],
    [{ deleted: 'true', since: '2025-01-06T00:00:00.001Z' }, [6, 7, 8]],
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
    expect(await idsWhere([isNamed])).toEqual([1, 2, 3, 4, 6, 7, 8])
    expect(await idsWhere([isLive, isNamed])).toEqual([1, 2, 4])
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
    // More than one slice, with nothing in it to find.
    await storeRows(Array.from({ length: 600 }, (_, place) => ({ id: 10 + place, name: 'Filler', email: 'f@b.co' })))
    await createRsvp(testRsvp({ name: 'Zoë Last' }), call)
  })

  it.each<[RsvpSearch, number[]]>([
    [{ q: 'joel 김민수' }, [1]],
    [{ q: 'o%t' }, []],
    [{ q: 'cole.example' }, [610, 2, 1]],
    [{ q: 'cole.example', status: 'not-attending' }, [2]],
    [{ q: 'ana', role: '1' }, [1]],
    [{ q: 'ana', suspicious: 'true' }, []],
  ])('finds by %j what `matching` finds, newest first', async (search, ids) => {
    expect(await findAllIds(search)).toEqual(ids)
  })

  it('goes on below an id', async () => {
    expect((await Array.fromAsync(findIds({ q: 'ana@' }, 2))).flat()).toEqual([1])
  })
})
