import { globSync } from 'node:fs'

/** Every document of the project, without packages and builds. */
export function findDocuments(root: string): string[] {
  return globSync('{*.md,docs/**/*.md,{db,site,cli,lab,scripts}/**/*.md}', { cwd: root }).sort()
}

/** The code in a document: within sentences, and the lines of its blocks. */
export function codeOf(markdown: string): { inline: string[]; lines: string[] } {
  const blocks = Array.from(markdown.matchAll(/^```\w*\n(.*?)^```$/gms), ([, block = '']) => block)
  const sentences = markdown.replace(/^```\w*\n.*?^```$/gms, '')
  return {
    inline: Array.from(sentences.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code),
    lines: blocks.flatMap((block) => block.split('\n')),
  }
}

/** The targets of its links and pictures within the project. */
export function linksOf(markdown: string): string[] {
  const links = markdown.replace(/^```\w*\n.*?^```$/gms, '').matchAll(/(?:\]\(|src=")(?!\w+:)([^)"\s]+)[)"]/g)
  return Array.from(links, ([, link = '']) => link)
}

/** The anchors of its headings. */
export function anchorsOf(markdown: string): string[] {
  const headings = markdown.replace(/^```\w*\n.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
