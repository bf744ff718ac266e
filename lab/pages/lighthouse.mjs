// Runs Lighthouse on the pages that people open most, as a phone and as a laptop.

/** What each category has to reach, of 100. The main page names those who come: search engines are kept out on purpose. */
const pages = [
  { path: '/share' },
  { path: '/', but: 'is-crawlable' },
  { path: '/admin', signedIn: true, without: 'seo' },
]
const ROUNDS = 3

/** @returns {Promise<string[]>} what misses 100 in the median of some rounds, a line for each. */
export async function checkSpeed({ default: lighthouse, desktopConfig }, { url, cookie, port }) {
  const found = []
  for (const { path, but, signedIn, without } of pages) {
    for (const [device, config] of Object.entries({ phone: undefined, laptop: desktopConfig })) {
      const flags = { port, output: 'json', logLevel: 'silent', ...(signedIn && { extraHeaders: { cookie } }) }
      const reports = []
      for (let round = 0; round < ROUNDS; round++) reports.push((await lighthouse(url + path, flags, config)).lhr)
      const scores = Object.keys(reports[0].categories)
        .filter((category) => category !== without)
        .map((category) => scoreOf(category, reports))
      console.log(`${path} on a ${device}: ${scores.map(({ text }) => text).join(', ')}`)
      for (const { category, median, missed } of scores) {
        const own = missed.filter((audit) => audit !== but)
        if (median < 100 && (own.length > 0 || missed.length === 0))
          found.push(`${path} on a ${device}: Lighthouse ${category} ${median}, for ${own.join(', ')}`)
      }
    }
  }
  return found
}

function scoreOf(category, reports) {
  const scores = reports.map(({ categories }) => Math.round(categories[category].score * 100)).sort((a, b) => a - b)
  const median = scores[Math.floor(scores.length / 2)]
  const missed = reports.flatMap(({ categories, audits }) =>
    categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
      .map(({ id }) => id),
  )
  return {
    category,
    median,
    missed: [...new Set(missed)],
    text: `${category} ${median} (${scores[0]} to ${scores.at(-1)})`,
  }
}
