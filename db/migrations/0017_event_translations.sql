CREATE TABLE `event_translations` (
	`language` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`subtitle` text NOT NULL,
	`event_title` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`time` text NOT NULL,
	`location` text NOT NULL,
	`what_to_expect` text NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `language` text DEFAULT 'en' NOT NULL;