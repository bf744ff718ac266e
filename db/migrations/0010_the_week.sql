CREATE TABLE `schedules` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`weekday` integer NOT NULL,
	`start_time` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`time_zone` text NOT NULL,
	`closes_minutes_before` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "one_schedule" CHECK("schedules"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `skipped_dates` (
	`date` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `map_link` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `contact` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `what_to_expect` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `service_date` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `changed_at` text;--> statement-breakpoint
ALTER TABLE `rsvps` ADD `link_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `rsvps_link_hash_unique` ON `rsvps` (`link_hash`);--> statement-breakpoint
CREATE INDEX `rsvps_service_date` ON `rsvps` (`service_date`);--> statement-breakpoint
ALTER TABLE `volunteer_roles` ADD `needed` integer;