CREATE TABLE `church_pictures` (
	`width` integer PRIMARY KEY NOT NULL,
	`height` integer NOT NULL,
	`hash` text NOT NULL,
	`bytes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `churches` (
	`id` integer PRIMARY KEY DEFAULT 1 NOT NULL,
	`name` text,
	`accent` text,
	`picture_alt` text,
	CONSTRAINT "one_church" CHECK("churches"."id" = 1)
);
