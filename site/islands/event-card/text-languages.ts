import type { EventContent } from '#db/event/content.ts'
import type { Language } from '#db/language/languages.ts'

/** The languages of those texts of the event that are not in the language of the page. */
export type TextLanguages = { [Name in keyof EventContent]?: Language }

/** How a text of the event is drawn, and in which language it is. */
export type DrawText = (name: keyof EventContent) => { lang: Language | undefined; children: string | undefined }
