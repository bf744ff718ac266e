INSERT INTO `features` (`name`, `enabled`) VALUES ('calendarIntegration', 1), ('familyRsvp', 1), ('volunteerSignup', 1);
--> statement-breakpoint
INSERT INTO `volunteer_roles` (`name`) VALUES ('Greeter'), ('Usher'), ('Music'), ('Children''s Class'), ('Audio and Video'), ('Fellowship Meal');
--> statement-breakpoint
INSERT INTO `settings` (`public_names`) VALUES ('initial');
--> statement-breakpoint
INSERT INTO `secrets` (`name`, `value`) VALUES ('submissions', lower(hex(randomblob(32))));
--> statement-breakpoint
CREATE TRIGGER `keep_erased_keys` AFTER DELETE ON `rsvps` WHEN old.`key` GLOB 'digest *' BEGIN
	INSERT OR IGNORE INTO `erased_keys` (`key`) VALUES (old.`key`);
END;
