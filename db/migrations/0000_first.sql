CREATE TABLE `events` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`title` text NOT NULL,
	`subtitle` text NOT NULL,
	`event_title` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`time` text NOT NULL,
	`location` text NOT NULL,
	CONSTRAINT "one_event" CHECK("events"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `family_members` (
	`rsvp_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`age` text,
	`attending` integer NOT NULL,
	PRIMARY KEY(`rsvp_id`, `position`),
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `features` (
	`name` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rsvps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`message` text,
	`attending` integer NOT NULL,
	`add_to_calendar` integer NOT NULL,
	`calendar_type` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rsvps_key_unique` ON `rsvps` (`key`);--> statement-breakpoint
CREATE TABLE `volunteer_roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`retired` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `volunteer_signups` (
	`rsvp_id` integer NOT NULL,
	`role_id` integer NOT NULL,
	PRIMARY KEY(`rsvp_id`, `role_id`),
	FOREIGN KEY (`rsvp_id`) REFERENCES `rsvps`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`role_id`) REFERENCES `volunteer_roles`(`id`) ON UPDATE no action ON DELETE no action
);
