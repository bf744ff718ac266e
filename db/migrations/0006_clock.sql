CREATE TABLE `clock_marks` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`seen_at` text NOT NULL,
	`doubted_at` text,
	`steady_ms` integer DEFAULT 0 NOT NULL,
	`anonymize_confirmed_at` text,
	`erase_confirmed_at` text,
	CONSTRAINT "one_row" CHECK("clock_marks"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE `rsvps` ADD `kept_from` text;