// A reporter of Vitest that keeps the errors between the tests, which its JSON leaves out, in a file of their own.
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
