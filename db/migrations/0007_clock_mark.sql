INSERT INTO `clock_marks` (`seen_at`)
SELECT coalesce(max(`moment`), '') FROM (
	SELECT max(`at`) AS `moment` FROM `audit_entries`
	UNION ALL SELECT max(`created_at`) FROM `rsvps`
	UNION ALL SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(`checked_at`) / 1000.0, 'unixepoch') FROM `health_checks`
);
