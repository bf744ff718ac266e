// A Vitest reporter that writes errors between tests, which the JSON report lacks, to a file.
import { writeFileSync } from 'node:fs'

export class UnhandledErrors {
  constructor(file) {
    this.file = file
  }

  onTestRunEnd(_modules, errors) {
    const messages = errors.map(({ stack, message }) => stack ?? message)
    writeFileSync(this.file, JSON.stringify(messages))
  }
}
