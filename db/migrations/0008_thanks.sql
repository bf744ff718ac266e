CREATE TABLE `erased_keys` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `rsvps` ADD `public_name_rule` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `body_hash` text;