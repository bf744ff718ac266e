/** Words that change which part of a name is the first name; in lower case and without accents (`folded`). */

/** A word as these lists hold it. */
export function folded(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[’ʼ]/g, "'").replace(/\.$/, '')
}

const setOf = (words: string) => new Set(words.split(/\s+/).map(folded))

/** Titles before or after a name, which are not part of it. */
export const titles = setOf(`
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
export const householdWords = setOf(`
  the family families household couple kids children team group guests friends from with plus
  and und et y e i och og en ja dan na ve και և и і та
  familia família famille familie familien familjen fam famiglia rodzina rodina család keluarga pamilya aile casa haus
  семья семьи сім'я родина οικογένεια`)

/** Suffixes after a name, which are left out. */
export const suffixes = setOf('jr sr ii iii iv md phd esq')

/** Between first and last name; in front they begin a last name. */
export const particles = setOf(`
  de da do das dos del della dello di du la las le les lo los el al dela san st ste saint santa
  van von der den ten ter zu zum zur vom af av bin ibn ben bint abu umm ould mac mc o d l`)

/** Particles that are a first name if exactly one word follows (Ben Roe, Al Cole). */
export const shortFirstNames = setOf('ben al van')

/**
 * Family names that come first: where that is the custom (Hungary, Vietnam, China, Korea, Japan), and the most frequent
 * ones of other countries, which people put first in lists. A first name that is also in this list only shows less.
 */
export const familyNames = setOf(`
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

/** Endings of family names. */
export const familyNameEndings =
  /(?:.sk[iay]|.[cs]kaya|.ck[iay]|.{2}ov[ay]?|.{2}ev[ay]?|enko|.chuk|wicz|vi[ct]h?|escu|.opoulos|.opoulou|.akis|.idis|.shvili|.dze|.sson|dott[iy]r|.[^aeiou]ez|.nen|.oglu|.czyk|.aitis|.iene)$/

/** The same in alphabets where only the ending tells a family name, which may come first or last. */
export const knownEndings =
  /(?:.[ое]в|.[ое]ва|.[сц]к(?:ии|ая|и|а)|.[сц]ьк(?:ии|а)|.енко|.чук|.ић|οπουλ(?:ος|ου)|.[ιά]δης|.αδης|.[ια]δου|.ακης|.ακη)$/u

/** Between first and last name in Russian and its neighbors. */
export const patronymicEndings = /(?:ович|евич|ична|овна|евна|івна|иівна)$/u
