import { expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'
import { tagsOf } from '#site/scenarios/sharing/fixtures.ts'

const inSpanish = { title: 'Culto del sábado', date: 'Cada sábado', location: 'Calle Mayor 1' }

describeInBothModes('the event on a page', (site) => {
  const share = async (language: string) =>
    (await ask(asVisitor(site()), 'GET /share', { headers: { 'accept-language': language } })).body
  const change = async (call: string, json?: unknown) => {
    const { status } = await ask(site(), call, { json, headers: site().headers })
    expect(status).toBeLessThan(300)
  }

  it('is in its language, text by text, each with the language that it is in', async () => {
    await change('POST /api/event', testEvent({ whatToExpect: 'Coffee first.' }))
    await share('es')
    await change('PUT /api/event/translations/es', inSpanish)
    const spanish = await share('es')
    expect(spanish).toContain('<title>Culto del sábado</title>')
    expect(spanish).toMatch(/<h1 class="invitation__title">Culto del sábado</)
    expect(spanish).toMatch(/<span>Cada sábado</)
    expect(spanish).toMatch(/<span lang="en">10:00 AM</)
    expect(spanish).toMatch(/<p class="invitation__prose" lang="en">Coffee first\./)
    expect(spanish).toMatch(/maps[^"]*Calle(%20|\+)Mayor/)
    expect(await share('en')).toContain('<title>Sabbath Worship Service</title>')
    expect(await share('de')).toContain('<title lang="en">Sabbath Worship Service</title>')
    for (const language of ['en', 'de']) expect(await share(language)).not.toMatch(/Culto|Cada/)
  })

  it('is so where it is shared, with the picture that shows the first version', async () => {
    const [english, spanish] = await Promise.all(
      ['/share', '/share?language=es'].map((path) => tagsOf(asVisitor(site()), path)),
    )
    expect(spanish?.ogTitle).toBe('Culto del sábado')
    expect(spanish?.ogDescription).toMatch(/^Cada sábado · 10:00 AM · Calle Mayor 1\./)
    expect(spanish?.ogLocale).toMatch(/^es_/)
    expect(spanish?.image?.url).toBe(english?.image?.url)
    expect(english?.ogTitle).toBe('Sabbath Worship Service')
    await change('PATCH /api/schedule', { weekday: 6 })
    const { markup } = await tagsOf(asVisitor(site()), '/share?language=es')
    expect(markup).toMatchObject({ name: 'Culto del sábado', location: { name: 'Calle Mayor 1' } })
  })

  it('says so too where the church wrote it in another language than English', async () => {
    await change('PATCH /api/event/translations', { language: 'ko' })
    expect(await share('ko')).toMatch(/<h1 class="invitation__title">Sabbath Worship Service</)
    expect(await share('en')).toMatch(/<h1 class="invitation__title" lang="ko">Sabbath Worship Service</)
  })

  it('is the first version again once the translation is removed', async () => {
    await change('DELETE /api/event/translations/es')
    expect(await share('es')).toContain('<title lang="ko">Sabbath Worship Service</title>')
  })
})
