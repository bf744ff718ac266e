/** What `rsvp help` explains beside the commands. */
export const topics = new Map([
  [
    'environment',
    `Settings, all optional, from the environment or from the file .env beside package.json:

  HOST                 where the site listens (127.0.0.1)
  PORT                 the port (4321)
  DATABASE_URL         file:./data/rsvp.db, relative to the project, or a libSQL server: http://… or libsql://…
  DATABASE_AUTH_TOKEN  the token of the libSQL server
  PUBLIC_URL           the address people use, as in https://rsvp.example.org
  TRUSTED_PROXIES      addresses of proxies that may tell where requests come from, as in 127.0.0.1, 10.0.0.0/8
  ADMIN_PASSWORD       the administrator's password; better set it with \`rsvp password\`
  ADMIN_PASSWORD_FILE  a file whose first line is the password
  RSVP_ACCESS          open: everyone who can reach the address may administer the site while no password is set
  RSVP_POST_LIMIT      answers a network may send once a password is set: at once, and a minute after that, or off (60/30)
  BACKUP_DIR           a folder: the running site puts a backup there every night
  BACKUP_TIME          when, in the church's time zone (02:30)
  BACKUP_KEEP          how many of them stay (14)
  TZ                   the church's time zone, as in America/Chicago (the machine's)
  LOG_LEVEL            fatal, error, warn, info, debug, trace or silent (warn)

An option goes before the environment, and the environment before .env.
NO_COLOR=1 draws without colours, as --no-color does.
`,
  ],
  [
    'exit-codes',
    `What a command ends with:

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
    `From cron, as in this line of \`crontab -e\`, every night at half past two:

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
