import { describe, expect, it } from 'vitest'
import { isAdditive } from './migration-hashes.ts'

const breakpoint = '--> statement-breakpoint\n'

describe('a migration', () => {
  it.each([
    ['a table', 'CREATE TABLE `rides` (\n\t`checked` integer PRIMARY KEY NOT NULL\n);'],
    [
      'a column and its index',
      `ALTER TABLE \`rsvps\` ADD \`ride\` text;${breakpoint}CREATE INDEX \`r\` ON \`rsvps\` (\`ride\`);`,
    ],
    [
      'a table whose rows go with others, and its unique index',
      'CREATE TABLE `rides` (`rsvp` integer,\n\tFOREIGN KEY (`rsvp`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade\n);' +
        `${breakpoint}CREATE UNIQUE INDEX \`one_ride\` ON \`rides\` (\`rsvp\`);`,
    ],
  ])('only adds %s', (_, sql) => {
    expect(isAdditive(sql)).toBe(true)
  })

  it.each([
    ['rows', "INSERT INTO `rides` VALUES ('car');"],
    ['values', `ALTER TABLE \`rsvps\` ADD \`ride\` text;${breakpoint}UPDATE \`rsvps\` SET \`ride\` = 'car';`],
    ['what may be stored', 'CREATE UNIQUE INDEX `one_name` ON `rsvps` (`name`);'],
    ['a column', 'ALTER TABLE `rsvps` DROP COLUMN `phone`;'],
    ['more in the same breath', 'CREATE TABLE `rides` (`id` integer);\nDROP TABLE `rsvps`;'],
    [
      'which rows may be deleted',
      'CREATE TABLE `rides` (`rsvp` integer, FOREIGN KEY (`rsvp`) REFERENCES `rsvps`(`id`));',
    ],
    ['which values a column takes', 'ALTER TABLE `rsvps` ADD `ride` text CHECK (`ride` <> 0);'],
    ['what is computed', 'ALTER TABLE `rsvps` ADD `ride` text DEFAULT (hex(randomblob(8)));'],
    ['what happens with a row', 'CREATE TRIGGER `keep` AFTER DELETE ON `rsvps` BEGIN SELECT 1; END;'],
  ])('changes %s, and that is more', (_, sql) => {
    expect(isAdditive(sql)).toBe(false)
  })
})
