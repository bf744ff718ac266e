/** Topics of `rsvp help` besides the commands. */
export const topics = new Map<string, string>([
  [
    'exit-codes',
    `What a command ends with:

  0    done
  1    failed, or was not confirmed
  2    wrong usage: standard error says what, and which --help to read
  3    not found
  78   no database, a damaged one, one of another version, or a wrong setting
  130  interrupted by Ctrl+C (129 by a hangup, 143 by a termination)
`,
  ],
  [
    'cron',
    `Lines for \`crontab -e\` of the account of the site. They need no PATH, no HOME and no
terminal, and print nothing when all went well; otherwise they print one sentence,
which cron mails, and exit with a code other than 0.

A backup every night to another folder, e.g. on another disk, of which it keeps the
last 14:

  30 2 * * * /srv/rsvp/cli/rsvp backup --out /backups/ --keep 14

The list for a spreadsheet, of which the system removes what is older than two weeks. An
export of the same day is not replaced without --force:

  40 2 * * * /srv/rsvp/cli/rsvp export --out /backups/ && find /backups/ -name 'rsvps-*' -mtime +14 -delete

The sheet for the service by mail, every Friday at six in the evening, without
messages and prayer requests:

  0 18 * * 5 /srv/rsvp/cli/rsvp sheet --without-messages 2>&1 | mail -s "This week's service" clerk@example.org

What is wrong, every morning:

  0 7 * * * /srv/rsvp/cli/rsvp doctor --quiet
`,
  ],
])
