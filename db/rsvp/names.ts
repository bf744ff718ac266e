import { identityOf } from '#db/values/identity.ts'

/** Shown instead of a name without letters, e.g. a telephone number. */
const NAMELESS = 'Guest'
const WORDS_MAXIMUM = 6

/** Separators of words, including invisible characters. */
const BLANKS = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]+/u
/** Characters before a remark, often about a child, or before the rest of an address. */
const REMARK = /[([{<（［｛＜「『【《〈@＠]/u
const WORD = /\p{L}[\p{L}\p{M}’'ʼ‐‑-]*/gu
/** Scripts that write the family name first, and no blank. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u30fc\uff70]/u
/** Letters of Vietnamese and Hungarian, which put the family name first. */
const FAMILY_NAME_FIRST = /[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9őŰűŐ]|\p{L}{4}né(?!\p{L})/u
const ALPHABETS = [/^[\p{Script=Latin}\P{L}]+$/u, /^[\p{Script=Cyrillic}\P{L}]+$/u, /^[\p{Script=Greek}\P{L}]+$/u]

/** A first name as it is written: Ana, Mary-Ann, LaToya, Мар’яна. */
const FIRST_NAME = /^(?:La|Le|De|Da|Jo)?\p{Lu}\p{M}?(?:\p{Ll}\p{M}?|(?<=\p{Ll}\p{M}?)[’'-]\p{L}){1,19}$/u
/** A last name, of which no more than the first letter is shown: Cole, O’Neil, McDonald, C. */
const LAST_NAME = /^\p{Lu}\p{M}*(?:\.?|[\p{L}\p{M}’'-]*\p{Ll}[\p{L}\p{M}’'-]*)$/u

const CASED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u
/** Other forms of letters, e.g. full-width ones. */
const FORMS = /[\uff00-\uffef\u{1d400}-\u{1d7ff}]/u
/** Created on first use: it takes 10 ms, and most commands show no name. */
let graphemes: Intl.Segmenter | undefined

/**
 * What visitors may read of a name: first name and last initial, e.g. `Ana C.` for `Ana María Cole`, if it is written
 * like such a name; otherwise initials. `names-fixtures.ts` has examples. It is stored: if it shows less than before,
 * a migration has to shorten what is stored, e.g. to the first letter.
 * @internal Exported for its test.
 */
export function publicNameOf(name: string): string {
  const typed = name.normalize('NFC').split(BLANKS).filter(Boolean)
  const words = suffixes.has(folded(typed.at(-1) ?? '')) ? typed.slice(0, -1) : typed
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return isFirstNameFirst(words) ? `${first} ${initialOf(last)}.` : initialsOf(typed.join(' '))
}

/**
 * The part of a name by which people look for it in a list, e.g. `van der Berg` of `Jan van der Berg`: the part before
 * a comma, else the last word with its particles. If the family name comes first, the first word.
 */
export function familyNameOf(name: string): string {
  // Without a remark, e.g. `(with baby)`.
  const [first = '', second = ''] = name
    .replace(/[([{].*/u, '')
    .split(',', 2)
    .map((part) => part.trim())
  if (first !== '' && second !== '' && !suffixes.has(folded(second))) return first
  const words = first.split(BLANKS).filter((word) => !householdWords.has(folded(word)) && !suffixes.has(folded(word)))
  if (words.length < 2 || FAMILY_NAME_FIRST.test(name)) return words[0] ?? name
  let start = words.length - 1
  while (start > 1 && particles.has(folded(words[start - 1] ?? ''))) start--
  return words.slice(start).join(' ')
}

const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** By family name, then by the whole name. */
export function compareNames(one: string, other: string): number {
  return order.compare(familyNameOf(one), familyNameOf(other)) || order.compare(one, other)
}

/** The same order for a long list, in which far fewer names than rows are compared: most households come again. */
export function sortByName<Named extends { name: string }>(list: Named[]): Named[] {
  const byName = Map.groupBy(list, ({ name }) => name)
  const names = Array.from(byName.keys(), (name) => ({ name, familyName: familyNameOf(name) }))
  names.sort((a, b) => order.compare(a.familyName, b.familyName) || order.compare(a.name, b.name))
  return names.flatMap(({ name }) => byName.get(name) ?? [])
}

/** What is stored beside a name, because SQL cannot tell it. */
export function derivedFrom(name: string) {
  return { publicName: publicNameOf(name), identity: identityOf(name) }
}

// Words that change which part of a name is the first name; in lower case and without accents (`folded`).

const setOf = (words: string) => new Set(words.split(/\s+/).map(folded))

/** Titles before or after a name, which are not part of it. */
const titles = setOf(`
  mr mrs ms miss mx sir madam lady lord dr prof professor rev reverend pastor elder deacon deaconess bishop father fr mother
  brother bro sister sis grandma grandpa granny nana aunt auntie uncle mom mum dad mama papa baba
  señor señora señorita sr sra srta don doña hermano hermana padre madre tía tío abuela abuelo
  senhor senhora irmão irmã dona seu avó avô
  monsieur madame mademoiselle mme mlle mgr maître frère sœur père pasteur
  herr frau fräulein pfarrer bruder schwester oma opa großmutter großvater tante onkel
  signor signora signorina sig suor fra nonna nonno
  meneer mevrouw dhr mevr mw dominee ds broeder zuster
  pan pani państwo ksiądz siostra brat
  господин госпожа отец мать брат сестра пастор дядя тётя бабушка пан пані
  κύριος κυρία πατήρ
  bey hanım abla abi hoca
  sheikh shaykh ustadh hajj haji imam
  shri shree smt shrimati kumari swami
  bapak ibu pak bu pendeta saudara saudari
  kuya ate tita tito lola lolo ginoo ginang
  bwana bibi mchungaji ndugu mzee
  rabbi rav
  dhpl cantor chaplain captain officer coach`)

/** Words that mean several people together. */
const householdWords = setOf(`
  the family families household couple kids children team group guests friends from with plus
  and und et y e i och og en ja dan na ve και և и і та
  familia família famille familie familien familjen fam famiglia rodzina rodina család keluarga pamilya aile casa haus
  семья семьи сім'я родина οικογένεια`)

/** Suffixes after a name, which are left out. */
const suffixes = setOf('jr sr ii iii iv md phd esq')

/** Between first and last name; in front they begin a last name. */
const particles = setOf(`
  de da do das dos del della dello di du la las le les lo los el al dela san st ste saint santa
  van von der den ten ter zu zum zur vom af av bin ibn ben bint abu umm ould mac mc o d l`)

/** Particles that are a first name if exactly one word follows (Ben Roe, Al Cole). */
const shortFirstNames = setOf('ben al van')

/**
 * Family names that come first: those of countries with that custom (Hungary, Vietnam, China, Korea, Japan), and the
 * most frequent ones of others, which people put first in lists. A first name that is also in this list merely shows
 * less.
 */
const familyNames = setOf(`
  nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly truong dinh mai trinh doan cao luong
  nagy kovács tóth szabó horváth varga kiss molnár németh farkas balogh papp takács juhász lakatos mészáros oláh rácz
  fekete szűcs kocsis fehér pintér török szalai sipos lukács gál bíró király katona jakab bognár boros
  wang li zhang chen liu yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie song tang feng deng
  cao peng zeng xiao tian dong pan yuan cai jiang yu ye cheng wei su lu ding ren yao shen chan cheung wong lam leung lau
  kim lee yi park pak choi jung jeong kang cho yoon yun jang chang lim im han oh seo shin kwon hwang ahn an song yoo
  ryu hong jeon ko go moon mun yang son bae baek heo nam noh ha kwak sung cha joo woo koo
  sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi matsumoto
  inoue kimura hayashi shimizu saito mori abe ikeda hashimoto ishikawa ogawa okada fujita goto hasegawa
  smith johnson williams brown jones davis miller wilson anderson taylor moore white harris clark lewis robinson walker
  wright hill green adams baker nelson carter mitchell roberts turner phillips campbell parker evans edwards collins
  stewart morris rogers reed cook bailey cooper richardson cox howard ward peterson gray ramsey watson brooks bennett wood
  barnes ross henderson coleman jenkins perry powell long patterson hughes butler foster bryant
  garcia rodriguez martinez hernandez lopez gonzalez perez sanchez ramirez torres flores rivera gomez diaz reyes morales
  cruz ortiz gutierrez chavez ramos ruiz alvarez mendoza vasquez castillo jimenez moreno romero herrera medina aguilar
  silva santos oliveira souza sousa pereira ferreira alves lima gomes costa ribeiro carvalho almeida rocha
  müller schmidt schneider fischer weber meyer meier wagner becker schulz hoffmann schäfer koch bauer richter klein wolf
  schröder neumann schwarz zimmermann braun krüger hofmann hartmann lange schmitt krause
  dubois durand leroy moreau lefebvre lefèvre roux fournier girard bonnet dupont lambert fontaine rousseau
  rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti
  jansen janssen bakker visser smit meijer mulder bos vos peters hendriks dekker
  nowak kowalczyk novák svoboda novotný dvořák černý procházka popa radu
  yılmaz kaya demir şahin çelik yıldız öztürk aydın özdemir arslan doğan
  sharma verma gupta singh kumar patel reddy khan shah mehta joshi iyer nair rao das
  okafor adeyemi okoye mensah mwangi ochieng otieno kamau`)

const familyNameEndings =
  /(?:.sk[iay]|.[cs]kaya|.ck[iay]|.{2}ov[ay]?|.{2}ev[ay]?|enko|.chuk|wicz|vi[ct]h?|escu|.opoulos|.opoulou|.akis|.idis|.shvili|.dze|.sson|dott[iy]r|.[^aeiou]ez|.nen|.oglu|.czyk|.aitis|.iene)$/

/** Endings in alphabets in which only they tell a family name, which may come first or last. */
const knownEndings =
  /(?:.[ое]в|.[ое]ва|.[сц]к(?:ии|ая|и|а)|.[сц]ьк(?:ии|а)|.енко|.чук|.ић|οπουλ(?:ος|ου)|.[ια]δ(?:ης|ου)|.ακης|.ακη)$/u

/** Between first and last name in Russian and its neighbors. */
const patronymicEndings = /(?:ович|евич|ична|овна|евна|івна|иівна)$/u

/** Whether the words are a first name, perhaps more, and a last name, as far as that can be told. */
function isFirstNameFirst(words: string[]): boolean {
  const [first = '', ...others] = words
  const last = others.pop() ?? ''
  if (words.length > WORDS_MAXIMUM) return false
  const whole = words.join(' ').replace(/[ʼʻ]/g, '’')
  if (FAMILY_NAME_FIRST.test(whole) || FORMS.test(whole) || words.some(isNoName)) return false
  if (!FIRST_NAME.test(first.replace(/[ʼʻ]/g, '’')) || !LAST_NAME.test(last)) return false
  if (!others.every((word) => particles.has(folded(word)) || LAST_NAME.test(word))) return false
  const alphabet = ALPHABETS.findIndex((letters) => letters.test(whole))
  if (particles.has(folded(first)) && (others.length > 0 || !shortFirstNames.has(folded(first)))) return false
  if (alphabet !== 0) return alphabet !== -1 && isKnownOrder(first, others, last)
  return !familyNames.has(folded(first)) && !familyNameEndings.test(folded(first))
}

/** In these alphabets many put the family name first, and many do not. */
function isKnownOrder(first: string, others: string[], last: string): boolean {
  if (knownEndings.test(folded(first)) || patronymicEndings.test(folded(last))) return false
  return knownEndings.test(folded(last)) || patronymicEndings.test(folded(others.at(-1) ?? ''))
}

function isNoName(word: string): boolean {
  return titles.has(folded(word)) || householdWords.has(folded(word)) || suffixes.has(folded(word))
}

function initialsOf(text: string): string {
  const [person = ''] = text.split(REMARK, 1)
  const found = person.match(WORD) ?? text.match(WORD) ?? []
  // A single M at the front is a French Monsieur.
  const names = found.filter((word, place) => !isNoName(word) && !(place === 0 && word === 'M'))
  const [first, ...others] = names.length > 0 ? names : found
  const last = others.at(-1)
  if (first === undefined) return NAMELESS
  // The first letter of a Chinese, Japanese or Korean name begins the family name; with a second one it may be whole.
  if (last === undefined || WITHOUT_BLANKS.test(person)) return `${initialOf(first)}.`
  return `${initialOf(first)}. ${initialOf(last)}.`
}

/** The first letter with its accents. */
function initialOf(word: string): string {
  graphemes ??= new Intl.Segmenter()
  const [grapheme, another] = Array.from(graphemes.segment(word), ({ segment }) => segment)
  const [letter = '', ...marks] = Array.from(grapheme ?? '')
  // A word of one grapheme shows only its letter, any other at most two accents.
  const initial = letter + (another === undefined ? '' : marks.slice(0, 2).join(''))
  const plain = FORMS.test(initial) ? initial.normalize('NFKC') : initial
  return CASED.test(plain) ? plain.toUpperCase() : plain
}

/** A word in the form of these lists. */
function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[’ʼ]/g, "'").replace(/\.$/, '')
}
