import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Figures } from './figures.ts'
import { fileStage } from './file-stage.ts'
import { type Finding, finding } from './finding.ts'
import { judge } from './judge.ts'
import { Random } from './random.ts'
import { serverStage } from './server-stage.ts'
import type { Stage } from './stage.ts'

/** So many on one database: every one but the first meets what the kills before it have left. */
const ROUNDS_OF_A_DATABASE = 50

export const databases = ['file', 'server'] as const
type Database = (typeof databases)[number]

type Run = { database: Database; rounds: number; seed: number; report?: (figures: Figures) => void }

/** Plays so many rounds, each by a seed of its own. Findings are what must not be. */
export async function playRounds({ database, rounds, seed, report }: Run): Promise<Figures> {
  const figures = new Figures()
  const started = performance.now()
  for (let done = 0; done < rounds; ) {
    const stage = database === 'file' ? fileStage() : await serverStage()
    try {
      for (let left = ROUNDS_OF_A_DATABASE; left > 0 && done < rounds; left--) {
        const findings = await playRound(stage, seed + done)
        done++
        figures.rounds = done
        figures.seconds = (performance.now() - started) / 1000
        figures.findings.push(...findings.map((found) => ({ ...found, seed: seed + done - 1 })))
        report?.(figures)
        if (findings.length === 0) continue
        figures.evidence.push(keepEvidence(stage, findings))
        // Whatever comes later would be found in the same database again.
        break
      }
    } finally {
      figures.add(stage.ledger)
      await stage.stop()
    }
  }
  return figures
}

async function playRound(stage: Stage, seed: number): Promise<Finding[]> {
  try {
    const stored = await stage.round(new Random(seed))
    return [...stage.ledger.findings, ...judge(stage.ledger, stored, stage)]
  } catch (error) {
    return [...stage.ledger.findings, finding('failure', String(error))]
  }
}

/** The database, what was asked and answered, and what is wrong, in a folder that stays. */
function keepEvidence(stage: Stage, findings: Finding[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-evidence-'))
  stage.keep(folder)
  const { submissions, deletions } = stage.ledger
  const lines = [...submissions.values(), { deletions: Array.from(deletions) }].map((line) => JSON.stringify(line))
  writeFileSync(join(folder, 'asked.jsonl'), lines.join('\n'))
  writeFileSync(join(folder, 'findings.txt'), findings.map(({ kind, text }) => `${kind}: ${text}`).join('\n\n'))
  return folder
}
