// Runs the built command in a real terminal and renders its screen as a page, for pictures.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { root } from '../local-node.mjs'

/** Long enough for the screen to be complete. */
const DRAWING_MS = 1500

const colors = { 1: '#e06c75', 2: '#7fc77f', 6: '#6fb7c7' }

export async function terminalPage(words, { columns, rows, database }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', TZ: 'UTC', DATABASE_URL: database }
  const command = spawn(join(root, 'cli', 'rsvp'), words, { name: env.TERM, cols: columns, rows, cwd: root, env })
  command.onData((text) => terminal.write(text))
  await wait(DRAWING_MS)
  const lines = Array.from({ length: rows }, (_, row) => lineOf(terminal.buffer.active.getLine(row)))
  command.kill()
  return `<style>pre { margin: 0; padding: 20px; width: max-content; border-radius: 8px;
    font: 14px/1.45 'DejaVu Sans Mono', monospace; color: #e6e1d8; background: #23211f }</style>
    <body style="background: transparent"><pre>${lines.join('\n')}</pre>`
}

function lineOf(line) {
  const cells = Array.from({ length: line.length }, (_, column) => line.getCell(column))
  return cells.map(spanOf).join('').trimEnd()
}

function spanOf(cell) {
  const text = (cell.getChars() || (cell.getWidth() === 0 ? '' : ' ')).replace('&', '&amp;').replace('<', '&lt;')
  const style = [
    colors[cell.getFgColor()] && cell.isFgPalette() ? `color:${colors[cell.getFgColor()]}` : '',
    cell.isBold() ? 'font-weight:bold' : '',
    cell.isDim() ? 'opacity:.65' : '',
  ].filter(Boolean)
  return style.length === 0 ? text : `<span style="${style.join(';')}">${text}</span>`
}
