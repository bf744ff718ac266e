/**
 * What a site may do and use. Its program is not writable for it, and all it writes to are its data, its backups and a
 * cache. V8 compiles to memory that it then runs, so that must stay allowed.
 */
const HARDENING = `User=rsvp-%i
Group=rsvp-%i
WorkingDirectory=/var/lib/rsvp/%i
UMask=0077
StateDirectory=rsvp/%i
StateDirectoryMode=0700
CacheDirectory=rsvp/%i
CacheDirectoryMode=0700
Environment=NODE_COMPILE_CACHE=/var/cache/rsvp/%i
ReadWritePaths=/var/backups/rsvp/%i
MemoryHigh=384M
MemoryMax=512M
TasksMax=128
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
RemoveIPC=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
`

/**
 * Every unit of a site by its file name; \`%i\` is the name of the site. Its socket stays open while the site restarts, and
 * closes when it is stopped; the address is in a file of its own, because a template knows no settings.
 */
export const units: Record<string, string> = {
  'rsvp@.socket': `[Unit]
Description=Where RSVP site %i listens
StopPropagatedFrom=rsvp@%i.service

[Socket]
NoDelay=yes
`,
  'rsvp@.service': `[Unit]
Description=RSVP site %i
Wants=network-online.target
Requires=rsvp@%i.socket
After=network-online.target rsvp@%i.socket

[Service]
Type=notify
NotifyAccess=all
ExecStart=/opt/rsvp/current/cli/rsvp --site %i serve
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=78
TimeoutStartSec=5min
TimeoutStopSec=15
WatchdogSec=1min
${HARDENING}
[Install]
WantedBy=multi-user.target
`,
  'rsvp-backup@.service': `[Unit]
Description=Backup of RSVP site %i, unless it has made one itself

[Service]
Type=oneshot
ExecStart=/opt/rsvp/current/cli/rsvp --site %i backup --if-older 20 --quiet
TimeoutStartSec=1h
${HARDENING}`,
  'rsvp-backup@.timer': `[Unit]
Description=Nightly backup of RSVP site %i

[Timer]
OnCalendar=*-*-* 03:30
RandomizedDelaySec=15min
Persistent=yes

[Install]
WantedBy=timers.target
`,
}
