import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finding, finding } from '../finding.ts'
import { judge } from '../judge.ts'
import { Random } from '../random.ts'
import { Figures } from './figures.ts'
import { fileStage } from './file-stage.ts'
import { serverStage } from './server-stage.ts'
import type { Stage } from './stage.ts'

/** Each round but the first starts with what the kills before it have left. */
const ROUNDS_PER_DATABASE = 50

export const databases = ['file', 'server'] as const
type Database = (typeof databases)[number]

type Run = { database: Database; rounds: number; seed: number; report?: (figures: Figures) => void }

/** Plays rounds, each with its own seed. */
export async function playRounds({ database, rounds, seed, report }: Run): Promise<Figures> {
  const figures = new Figures()
  const started = performance.now()
  for (let done = 0; done < rounds; ) {
    const stage = database === 'file' ? fileStage() : await serverStage()
    try {
      for (let left = ROUNDS_PER_DATABASE; left > 0 && done < rounds; left--) {
        const findings = await playRound(stage, seed + done)
        done++
        figures.rounds = done
        figures.seconds = (performance.now() - started) / 1000
        figures.findings.push(...findings.map((found) => ({ ...found, seed: seed + done - 1 })))
        report?.(figures)
        if (findings.length === 0) continue
        figures.evidence.push(keepEvidence(stage, findings))
        // Later rounds would find the same in this database again.
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

/** Writes the database, the ledger and the findings into a folder that is not deleted. */
function keepEvidence(stage: Stage, findings: Finding[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-evidence-'))
  stage.keep(folder)
  const { rsvps, deletions } = stage.ledger
  const lines = [...rsvps.values(), { deletions: Array.from(deletions) }].map((line) => JSON.stringify(line))
  writeFileSync(join(folder, 'ledger.jsonl'), lines.join('\n'))
  writeFileSync(join(folder, 'findings.txt'), findings.map(({ kind, text }) => `${kind}: ${text}`).join('\n\n'))
  return folder
}
