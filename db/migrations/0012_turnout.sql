CREATE TABLE `turnouts` (
	`service_date` text PRIMARY KEY NOT NULL,
	`people` integer NOT NULL,
	`counted_at` text NOT NULL
);
