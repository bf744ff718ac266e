/** What `rsvp help` explains beside the commands; loaded when it is asked for, so that help starts at once. */
export const topics = new Map<string, () => Promise<string>>([
  ['environment', async () => (await import('./environment-topic.ts')).environmentTopic()],
  [
    'exit-codes',
    async () => `What a command ends with:

  0    done
  1    failed, or somebody said no
  2    wrong usage: standard error says what, and which --help to read
  3    not found
  78   no database, a damaged one, one of another version, or a wrong setting
  130  interrupted by Ctrl+C (129 by a hangup, 143 by a termination)
`,
  ],
  [
    'cron',
    async () => `From cron, as in this line of \`crontab -e\`, every night at half past two:

  30 2 * * * /srv/rsvp/cli/rsvp export --out /backups/

And, better, everything in one file that \`rsvp restore\` brings back, of which the last 14 stay:

  40 2 * * * /srv/rsvp/cli/rsvp backup --out /backups/ --keep 14

To be told when something is wrong, or soon will be (\`--strict\` ends with 1 on a warning too):

  */15 * * * * /srv/rsvp/cli/rsvp doctor --quiet --strict

They need no PATH, no HOME and no terminal. They say nothing when all went well; otherwise one sentence, which cron
mails, and they end with another code than 0. A list of the same day is not replaced unless --force is given.
\`rsvp init --print crontab\` prints both for this machine.
`,
  ],
])
