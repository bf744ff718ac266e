INSERT INTO `secrets` (`name`, `value`) VALUES ('submissions', lower(hex(randomblob(32))));
--> statement-breakpoint
UPDATE `rsvps` SET `key` = lower(hex(randomblob(16))) WHERE `key` GLOB 'form-*' AND length(`key`) = 69;
--> statement-breakpoint
CREATE TRIGGER `keep_erased_keys` AFTER DELETE ON `rsvps` WHEN old.`key` GLOB 'digest *' BEGIN
	INSERT OR IGNORE INTO `erased_keys` (`key`) VALUES (old.`key`);
END;
